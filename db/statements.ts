/** How much this process asks of its database: for its metrics. */

let running = 0
let observe: ((seconds: number) => void) | null = null

/** How many statements of this process run now, or wait for a connection. */
export const statementsRunning = (): number => running

/** Calls `then` with the seconds that each statement took, the time that it waited for a connection included; null ends that. */
export const observeStatements = (then: ((seconds: number) => void) | null): void => {
  observe = then
}

/** Counts a statement while it runs. */
export async function countStatement<T>(run: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  running += 1
  try {
    return await run()
  } finally {
    running -= 1
    observe?.((performance.now() - begun) / 1000)
  }
}
