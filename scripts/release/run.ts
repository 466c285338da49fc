import { existsSync } from 'node:fs'

/**
 * Runs a program and returns what it prints.
 * @throws Error with its messages where it fails
 */
export async function output(
  command: readonly string[],
  options: { readonly cwd?: string; readonly env?: Record<string, string | undefined> } = {},
): Promise<string> {
  const child = Bun.spawn([...command], { ...options, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command.join(' ')} failed with exit code ${code}:\n${err.trim()}`)
  return out
}

/** Runs a program whose messages are shown. */
export async function step(name: string, command: readonly string[], cwd: string): Promise<void> {
  console.log(`— ${name}`)
  const child = Bun.spawn([...command], { cwd, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' })
  const code = await child.exited
  if (code !== 0) throw new Error(`${name} failed with exit code ${code}: ${command.join(' ')}`)
}

/**
 * Checks that a program is installed.
 * @throws Error with what it is needed for
 */
export function assertInstalled(program: string, purpose: string): void {
  const path = Bun.which(program)
  if (path === null || !existsSync(path)) throw new Error(`${program} is not installed; it is needed for ${purpose}.`)
}
