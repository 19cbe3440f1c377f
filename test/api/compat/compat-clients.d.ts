/** Two clients without types. */

declare module "money";
declare module "oxr";
