/** oasdiff: an error is breaking, a warning ("potentially breaking") undecided. It does not claim to read Swagger 2.0, and is not asked. */
import { printed, toolAt, type Runner } from './runner.ts'

const path = () => toolAt('go', 'oasdiff') ?? Bun.which('oasdiff')

export const oasdiff: Runner = {
  name: 'oasdiff',
  install: 'GOBIN=$PWD/bench/verdicts/.tools/go go install github.com/oasdiff/oasdiff@v1.27.0',
  version: () => {
    const found = path()
    if (found === null) return null
    const module = printed(['go', 'version', '-m', found])
    return /\tmod\t\S+\t(\S+)/.exec(module ?? '')?.[1] ?? printed([found, '--version'])
  },
  reads: ({ language }) => language.startsWith('3'),
  command: (base, head) => [path() ?? 'oasdiff', 'breaking', base, head, '--format', 'json'],
  said: ({ exitCode, stdout }) => {
    if (exitCode !== 0) return 'failed'
    const text = stdout.trim()
    const changes = text === '' || text === 'null' ? [] : (JSON.parse(text) as { level: number }[])
    if (changes.some(({ level }) => level === 3)) return 'breaking'
    return changes.length > 0 ? 'undecided' : 'safe'
  },
}
