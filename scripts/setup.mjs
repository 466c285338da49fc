// Installs the dependencies when package-lock.json differs from what is installed. Needs node and npm only.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(process.platform + process.arch)
  .digest('hex')
const mark = join(root, 'node_modules', '.svc-lock')

if (!existsSync(mark) || readFileSync(mark, 'utf8') !== wanted) {
  console.error('Installing dependencies (once; a minute or two) …')
  // Install scripts stay off: nothing we depend on needs one, and none of them is reviewed. `install --no-save` takes
  // the locked versions as `npm ci` does and writes neither file; `ci` refuses when the registry in use does not carry
  // an optional package of some other platform.
  const result = spawnSync(
    'npm',
    ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      // Standard output belongs to the command that comes after.
      stdio: ['ignore', process.stderr, 'inherit'],
      shell: process.platform === 'win32',
    },
  )
  if (result.status !== 0) {
    console.error('npm install failed. Check the network and the registry that npm is configured for, then try again.')
    process.exit(result.status ?? 1)
  }
  writeFileSync(mark, wanted)
}
