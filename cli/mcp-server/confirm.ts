import { createInterface } from 'node:readline/promises'
import { SvcError } from '../../src/errors.ts'
import type { Io } from '../io.ts'

/**
 * Asks before a command is started.
 * @throws SvcError `usage` where no one can be asked, and where the answer is anything but yes
 */
export async function confirmStart(command: readonly string[], io: Pick<Io, 'isInteractive'>): Promise<void> {
  const shown = command.join(' ')
  if (!io.isInteractive)
    throw new SvcError('usage', { reason: `No one can be asked whether to start "${shown}": give --yes` })
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question(`Start "${shown}" on this machine, with your rights? [y/N] `)
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new SvcError('usage', { reason: 'Nothing was started' })
  } finally {
    lines.close()
  }
}

/** What every program needs to start; nothing else of the environment is passed on. */
const kept =
  process.platform === 'win32'
    ? ['PATH', 'PATHEXT', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA']
    : ['PATH', 'HOME']

/**
 * The environment of a command: PATH and HOME, and what was named: NAME passes it on, NAME=VALUE sets it.
 * @throws SvcError `usage` for a name that is not set
 */
export function environmentFor(
  named: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const out: Record<string, string> = {}
  for (const name of kept) if (env[name] !== undefined) out[name] = env[name]
  for (const text of named) {
    const [, name = '', value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(text) ?? []
    const found = value ?? env[name]
    if (name === '')
      throw new SvcError('usage', { reason: `--env must be NAME or NAME=VALUE, not "${text.split('=')[0]}"` })
    if (found === undefined) throw new SvcError('usage', { reason: `--env ${name}: the variable is not set` })
    out[name] = found
  }
  return out
}
