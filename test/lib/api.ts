// Speaks JSON to a running app, so that a test reads like what a client does.

export interface Answer<T> {
  status: number;
  body: T;
}

/** One call of the HTTP API. A body is sent as JSON; the answer is parsed where it is JSON. */
export async function call<T = Record<string, unknown>>(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  let parsed: unknown = text;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Markdown and HTML stay text.
  }
  return { status: response.status, body: parsed as T };
}

/** All items of a paged list. */
export async function all<T>(url: string, path: string): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const separator: string = path.includes("?") ? "&" : "?";
    const page: Answer<{ items: T[]; next: string | null }> = await call(
      url,
      "GET",
      `${path}${separator}limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`,
    );
    if (page.status !== 200) throw new Error(`${path} answered ${page.status}: ${JSON.stringify(page.body)}`);
    items.push(...page.body.items);
    cursor = page.body.next;
  } while (cursor);
  return items;
}
