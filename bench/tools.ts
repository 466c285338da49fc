/** The tools that others made: installed into the cache at fixed versions where npm or Go bring them. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from './measure.ts'

const installLimitMs = 300_000

/** The path of a program out of an npm package; null where it cannot be had. */
export function npmTool(name: string, version: string, program: string): string | null {
  const folder = join(cacheFolder, 'npm', `${name.replaceAll('/', '-')}-${version}`)
  const path = join(folder, 'node_modules', '.bin', program)
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true })
    const options = ['--no-save', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder]
    Bun.spawnSync(['npm', 'install', `${name}@${version}`, ...options], { timeout: installLimitMs })
  }
  return existsSync(path) ? path : null
}

/** The path of a program that Go builds; null where there is no Go, or the module cannot be had. */
export function goTool(module: string, version: string): string | null {
  const program = module.split('/').at(-1) ?? module
  const folder = join(cacheFolder, 'go')
  const path = join(folder, program)
  const go = Bun.which('go')
  if (!existsSync(path) && go !== null) {
    mkdirSync(folder, { recursive: true })
    const env = { ...process.env, GOBIN: folder }
    Bun.spawnSync([go, 'install', `${module}@${version}`], { env, timeout: installLimitMs, stderr: 'ignore' })
  }
  return existsSync(path) ? path : Bun.which(program)
}

/** The same command with a limit on its memory: some take all there is. */
export const within = (gigabytes: number, command: readonly string[]): readonly string[] => [
  'sh',
  '-c',
  `ulimit -v ${gigabytes * 1_000_000}; exec "$0" "$@"`,
  ...command,
]
