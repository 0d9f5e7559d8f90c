// `npm run screens [-- pattern]`: takes the pictures of docs/screens anew, on an invented memory.
import { runModule } from "./run-module.mjs";

if (process.argv[2]) process.env.SCREENS = process.argv[2];
runModule("test/browser/screens.ts");
