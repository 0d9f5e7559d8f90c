// The invite in the address: behind the #, so that no server's log sees it. Pure.

/** The invite that an address carries, or null. */
export function inviteIn(hash: string): string | null {
  const match = /(?:^#|&)invite=(rvi_[A-Za-z0-9_.-]+)/.exec(hash);
  return match?.[1] ?? null;
}

/** Whether an invite is the owner's: only to know what to ask; the server judges it. */
export function isOwnersInvite(invite: string): boolean {
  try {
    const body = invite.slice("rvi_".length).split(".")[0] ?? "";
    return (JSON.parse(atob(body.replace(/-/g, "+").replace(/_/g, "/"))) as { o?: unknown }).o === 1;
  } catch {
    return false;
  }
}
