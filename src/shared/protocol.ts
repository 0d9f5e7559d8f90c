// The contract between browser, Worker and Durable Objects: zod schemas and types of every message and API shape. One door to protocol/*.
export * from "./protocol/common.ts";
export * from "./protocol/write.ts";
export * from "./protocol/memory.ts";
export * from "./protocol/chat.ts";
export * from "./protocol/dream.ts";
export * from "./protocol/app.ts";
export * from "./protocol/turn.ts";
export * from "./protocol/mirror.ts";
export * from "./protocol/auth.ts";
export * from "./protocol/transfer.ts";
