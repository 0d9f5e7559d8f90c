// Runs the layout beside the page, so that a large graph never holds it up.
import { layout, type LayoutAsk } from "./layout.ts";

self.addEventListener("message", (event: MessageEvent<{ id: number; ask: LayoutAsk }>) => {
  const places = layout(event.data.ask);
  self.postMessage({ id: event.data.id, places }, { transfer: [places.buffer] });
});
