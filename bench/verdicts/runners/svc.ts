/** svc: the executable that SVC_BINARY names or `npm run build` made, else the sources. */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printed, type Runner, type Said } from './runner.ts'

const root = join(import.meta.dir, '..', '..', '..')
const built = process.env.SVC_BINARY ?? join(root, 'dist', 'svc')
const program = existsSync(built) ? [built] : [process.execPath, join(root, 'cli', 'main.ts')]

// The exit codes of --exit-code: unchanged, documentation, compatible, undecided, breaking.
const meanings: Readonly<Record<number, Said>> = { 0: 'safe', 10: 'safe', 11: 'safe', 12: 'undecided', 13: 'breaking' }

export const svc: Runner = {
  name: 'svc',
  install: 'npm run build, or SVC_BINARY=PATH',
  version: () => {
    const version = printed([...program, '--version'])
    return version !== null && program.length > 1 ? `${version} (sources)` : version
  },
  reads: () => true,
  command: (base, head) => [
    ...program,
    'diff',
    base,
    head,
    '--exit-code',
    '--no-cache',
    '--quiet',
    '--offline',
    '--workspace',
    join(tmpdir(), 'verdicts-svc'),
  ],
  said: ({ exitCode }) => meanings[exitCode] ?? 'failed',
}
