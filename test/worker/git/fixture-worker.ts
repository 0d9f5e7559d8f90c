// A Worker with one bare Durable Object, so that the git room runs on real SQLite without the app around it.
import { DurableObject } from "cloudflare:workers";

export class Repository extends DurableObject {}

export default {
  fetch: () => new Response("A fixture for tests of the git room."),
};
