import type { Io } from './io.ts'

const pauseMs = 100

/**
 * Shows on a terminal how far work is, in a line that changes; elsewhere it prints nothing.
 * @param work calls its argument with each line; at most ten lines a second are drawn
 */
export async function withLine<T>(
  { errorTerminal: terminal }: Pick<Io, 'errorTerminal'>,
  work: (say: (line: string) => void) => Promise<T>,
): Promise<T> {
  let [drawnAt, isDrawn] = [Number.NEGATIVE_INFINITY, false]
  const say = (line: string): void => {
    if (terminal?.redraws !== true || performance.now() - drawnAt < pauseMs) return
    drawnAt = performance.now()
    isDrawn = true
    void terminal.draw(line.slice(0, terminal.columns - 1))
  }
  try {
    return await work(say)
  } finally {
    if (isDrawn) await terminal?.draw('')
  }
}
