/** What walks with real gateways share: processes, waiting, and a list of what was checked. */
import type { Subprocess } from 'bun'

const children: Subprocess[] = []

/** Starts a program that is ended with the walk. */
export function startProgram(
  command: string[],
  env: Readonly<Record<string, string>> = {},
): Subprocess<'ignore', 'pipe', 'pipe'> {
  const child = Bun.spawn(command, { env: { ...process.env, ...env }, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  children.push(child)
  return child
}

export async function stopPrograms(): Promise<void> {
  for (const child of children.splice(0).toReversed()) {
    child.kill('SIGTERM')
    await Promise.race([child.exited, Bun.sleep(3000)])
    child.kill('SIGKILL')
  }
}

/** Waits for a state. @throws after 40 seconds */
export async function until(what: string, isReached: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 40_000
  while (!(await isReached())) {
    if (Date.now() > end) throw new Error(`not reached within 40 s: ${what}`)
    await Bun.sleep(100)
  }
}

let [passed, failed] = [0, 0]
/** Compares and prints; the walk continues. */
export function check(what: string, got: unknown, wanted: unknown): void {
  const isSame = JSON.stringify(got) === JSON.stringify(wanted)
  if (isSame) passed++
  else failed++
  console.log(
    `${isSame ? 'ok    ' : 'FAILED'} ${what}${isSame ? '' : `: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`}`,
  )
}
export const summary = (): number => {
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

/** The status of an answer; 0: none came. */
export async function ask(url: string, init: RequestInit = {}): Promise<number> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual' })
    await response.body?.cancel()
    return response.status
  } catch {
    return 0
  }
}
