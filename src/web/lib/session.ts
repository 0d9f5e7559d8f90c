// Whether the server still knows this browser. Set by the door to the server when it is answered "sign in first".
import { createStore } from "./store.ts";

export const signedOut = createStore(false);
