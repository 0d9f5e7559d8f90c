export function settleSlots(..._args: unknown[]): void {}
