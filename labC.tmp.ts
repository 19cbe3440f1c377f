import { openLake } from "#store/lake/lake.ts";
import { dailyAdapters } from "#sources/catalogue.ts";
import { COVERAGE_START, parseDay } from "#domain/day.ts";
import { rmSync } from "node:fs";
const dir="/tmp/labC"; rmSync(dir,{recursive:true,force:true});
let last=performance.now();
const t=(l:string)=>{const n=performance.now();console.log(l,(n-last).toFixed(0),"ms",(process.memoryUsage.rss()/1e6).toFixed(0),"MB");last=performance.now();};
const [ecb]=dailyAdapters({fredApiKey:null}); const bytes=new Uint8Array(await Bun.file("/work/shared/data/ecb/eurofxref-hist.zip").arrayBuffer());
const window={reach:"history" as const,from:COVERAGE_START,to:parseDay("2026-04-13")!};
const doc={url:"https://www.ecb.europa.eu/x.zip",bytes,sha256:"ab",retrievedAt:Date.now(),contentType:"x"};
const reading=ecb!.routes(window)[0]!.parse(doc,window); if(reading.outcome!=="figures") throw 1;
const obs=reading.figures.map(f=>({...f,source:"ecb_daily" as const,document:doc.url,documentSha256:doc.sha256,retrievedAt:doc.retrievedAt,revision:1}));
// FRED-like
const fred=[] as any[]; for(let d=10595;d<20550;d++){ if((d+4)%7%6===0) continue; for(const q of ["AUD","BRL","CAD","CHF","CNY","DKK","GBP","HKD","INR","JPY","KRW","MXN","MYR","NOK","NZD","SEK","SGD","THB","TWD","ZAR","EUR"]) fred.push({...obs[0],source:"fred_daily",base:"USD",quote:q,date:d,printed:(1+((d*7919)%9000)/10000).toFixed(4)}); }
t("parse");
const lake=await openLake({directory:dir,simulated:false}); t("open");
let w=performance.now();
await lake.commit(()=>({accepted:obs,withdrawn:[],held:[],coverage:[]}),(a,b)=>{ if(a%8===0) {console.log("  part",a,b,(performance.now()-w).toFixed(0)); w=performance.now();}}); t("commit ecb "+obs.length);
await lake.commit(()=>({accepted:fred,withdrawn:[],held:[],coverage:[]})); t("commit fred "+fred.length);
const s=await lake.read(); t("read "+s.observations.count);
const last1=obs.filter(o=>o.date===reading.coveredThrough).map(o=>({...o,date:o.date+1}));
await lake.commit(()=>({accepted:last1,withdrawn:[],held:[],coverage:[]})); t("commit one day");
await lake.read(); t("read again");
await lake.close();
process.exit(0);
