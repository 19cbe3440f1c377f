const t0=performance.now();
const { openLake } = await import("#store/lake/lake.ts"); const t1=performance.now();
const lake=await openLake({directory:"/tmp/labC",simulated:false}); const t2=performance.now();
const s=await lake.read(); const t3=performance.now();
console.log("import",(t1-t0).toFixed(0),"open",(t2-t1).toFixed(0),"read",(t3-t2).toFixed(0),s.observations.count,(process.memoryUsage.rss()/1e6).toFixed(0)+"MB"); process.exit(0);
