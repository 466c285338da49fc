/** Whether the background work of this process can take what is due: a service that answers but does nothing else is not ready. */

/** Since when each loop cannot claim, in milliseconds since the process began. */
const failing = new Map<object, number>()

/** Notes how a look of a loop ended: the first failure counts until a look succeeds. */
export function noteLook(loop: object, isGood: boolean): void {
  if (isGood) failing.delete(loop)
  else if (!failing.has(loop)) failing.set(loop, performance.now())
}

/** For how long some loop of this process cannot claim what is due, in milliseconds; 0 where all can. */
export const failingForMs = (): number => (failing.size === 0 ? 0 : performance.now() - Math.min(...failing.values()))
