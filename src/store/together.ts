/** One run at a time; who calls while it is under way shares the next one, which begins after the call. */
export function together(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    await current?.catch(() => {});
    next = undefined;
    current = work();
    await current;
  };
  return () => (next ??= begin());
}
