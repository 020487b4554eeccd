/** Runs the work once at a time. A call during a run shares the next run, which begins after the call. */
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
