/**
 * Makes dist/svc, the one executable: generated files, the web application where it is present, then the compiled
 * program. `--target=bun-linux-arm64` and the like build for another platform, `--outfile=PATH` elsewhere. `npm run release` builds every platform.
 */
import { existsSync, readFileSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = import.meta.dir
const argument = (name: string): string | undefined =>
  process.argv.find((it) => it.startsWith(`--${name}=`))?.slice(name.length + 3)

const step = async (name: string, command: readonly string[]): Promise<void> => {
  const started = performance.now()
  const child = Bun.spawn([...command], { cwd: root, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' })
  const code = await child.exited
  if (code !== 0) {
    console.error(`${name} failed with exit code ${code}: ${command.join(' ')}`)
    process.exit(1)
  }
  console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

const bun = process.execPath
const target = argument('target')
// The Bun executable for another platform; without it Bun downloads one.
const runtime = argument('runtime')
const outfile = argument('outfile') ?? join(root, 'dist', target?.includes('windows') ? 'svc.exe' : 'svc')
mkdirSync(dirname(outfile), { recursive: true })

// What browsers load is one more entry point of the program: it finds the pack among its embedded files.
if (existsSync(join(root, 'web', 'build.ts'))) await step('web', [bun, 'web/build.ts', '--if-stale', '--release'])
const pack = join(root, 'dist', 'web', 'web.pack')
await step('generated files', [bun, 'scripts/gen.ts'])
await step('program', [
  bun,
  'build',
  'cli/main.ts',
  ...(existsSync(pack) ? [pack] : []),
  '--compile',
  '--minify',
  '--bytecode',
  '--format=esm',
  '--splitting',
  // A compiled program would otherwise run what the current folder's bunfig.toml and .env say.
  '--no-compile-autoload-bunfig',
  '--no-compile-autoload-dotenv',
  // Rulesets that are programs are packages: without their package.json ("main", "exports") they would not be found.
  '--compile-autoload-package-json',
  // Bun writes the path of this checkout in their place where a library asks for them: every folder would make other bytes.
  ...['__filename', '__dirname'].map((name) => `--define=${name}="/svc"`),
  ...(target === undefined ? [] : [`--target=${target}`]),
  ...(runtime === undefined ? [] : [`--compile-executable-path=${runtime}`]),
  `--outfile=${outfile}`,
])
if (readFileSync(outfile).includes(root))
  throw new Error(`${outfile} contains ${root}: a build in another folder would have other bytes.`)
console.log(`${outfile}: ${(statSync(outfile).size / 1_000_000).toFixed(0)} MB`)
