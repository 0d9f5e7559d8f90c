// One conversation: its turns, its stream, its open tabs. Wiring only.
import { Agent } from "agents";
import type { Env } from "../env.ts";

export class ChatAgent extends Agent<Env> {}
