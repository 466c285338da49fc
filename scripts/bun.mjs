// Runs Bun from node_modules. With install scripts off, node_modules/.bin/bun is a stub that only fails,
// so the platform package's own binary is found and started instead. What is missing is installed before: npm runs no
// pre-scripts either while install scripts are off.
import './setup.mjs'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const os = process.platform === 'win32' ? 'windows' : process.platform
const cpu = process.arch === 'arm64' ? 'aarch64' : process.arch
const binary = ['', '-musl', '-baseline', '-musl-baseline']
  .map((suffix) =>
    join(root, 'node_modules', '@oven', `bun-${os}-${cpu}${suffix}`, 'bin', os === 'windows' ? 'bun.exe' : 'bun'),
  )
  .find(existsSync)
if (!binary) {
  console.error(`No Bun binary for ${process.platform} ${process.arch} in node_modules. Run: npm run setup`)
  process.exit(1)
}
const child = spawn(binary, process.argv.slice(2), {
  stdio: 'inherit',
  env: { ...process.env, PATH: dirname(binary) + delimiter + process.env.PATH },
})
// The terminal sends Ctrl-C to the whole group; a service manager signals only this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 128 + (signal === 'SIGINT' ? 2 : 15) : (code ?? 1)))
