// What a MemoryAgent answers about dreams, for the Worker's routes. Types only.
import type { Refusal } from "../../shared/errors.ts";
import type { DreamDetail, DreamEstimate, DreamStatus, DreamView, Page } from "../../shared/protocol.ts";

/** What a user may do with a dream. */
export type DreamVerb = "accept" | "reject" | "undo" | "cancel";

/** A value, or the refusal as data: an error loses its class on the way between objects. */
type Answered<T> = { ok: true; value: T } | ({ ok: false } & Refusal);

export interface DreamApi {
  startDream(options: { mode?: "automatic" | "review"; retry?: boolean }): Promise<Answered<{ id: string; status: DreamStatus }>>;
  dreamEstimate(): Promise<Answered<DreamEstimate>>;
  dreamsPage(query: { limit: number; cursor?: string }): Promise<Answered<Page<DreamView>>>;
  dreamDetail(id: string): Promise<Answered<DreamDetail>>;
  answerDream(id: string, verb: DreamVerb, changes?: number[]): Promise<Answered<DreamDetail>>;
}
