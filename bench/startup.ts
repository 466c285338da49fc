import { join } from 'node:path'
import { binary, comparePair, freshFolder, type Measurement, timeCommand } from './measure.ts'

/** Start-up against an empty program compiled with the same flags. */
export async function startup(): Promise<readonly Measurement[]> {
  const folder = freshFolder('startup')
  const source = join(folder, 'empty.ts')
  const empty = join(folder, 'empty')
  await Bun.write(source, 'export {}\n')
  timeCommand([
    process.execPath,
    'build',
    '--compile',
    '--minify',
    '--bytecode',
    '--format=esm',
    source,
    '--outfile',
    empty,
  ])
  const workspace = join(folder, 'workspace')
  timeCommand([binary, '--workspace', workspace, 'project', 'list'])
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['svc --version', ['--version'], '≤ 12 ms where the empty program takes 6–11'],
    ['svc --help', ['--help'], '≤ 12 ms where the empty program takes 6–11'],
    ['svc project list on the local workspace', ['--workspace', workspace, 'project', 'list'], '≤ 60 ms'],
  ]
  return cases.map(([name, args, goal]) => ({
    name,
    ...comparePair([binary, ...args], [empty], 30),
    referenceName: 'an empty compiled Bun program',
    unit: 'ms',
    goal,
  }))
}
