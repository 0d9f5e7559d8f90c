// The tables of all rooms of a MemoryAgent. A room adds one line here.
import { createAccount } from "./account-tables.ts";
import { createBlocks } from "./blocks.ts";
import { CORE_ROOMS, type Rooms } from "./schema.ts";
import { createConversations } from "./conversation-tables.ts";
import { addPayer } from "./ledger.ts";
import { createErase } from "./erase-job.ts";
import { createImports } from "./import-tables.ts";
import { createMirror } from "./mirror.ts";
import { createForgotten, createProseSeen } from "./receipts.ts";
import { createSettings } from "./settings.ts";
import { createSources } from "./sources-branch.ts";

export const ROOMS: Rooms = {
  ...CORE_ROOMS,
  settings: [createSettings],
  conversations: [createConversations, addPayer],
  forgotten: [createForgotten, createProseSeen],
  erase: [createErase],
  sources: [createSources],
  mirror: [createMirror],
  imports: [createImports],
  account: [createAccount],
  blocks: [createBlocks],
};
