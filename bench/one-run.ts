/** Runs one command and writes its time, memory and exit code as JSON: `bun bench/one-run.ts LIMIT_MS COMMAND…`. */
import type { OneRun } from './measure.ts'

const [limit = '0', ...command] = process.argv.slice(2)
const begun = performance.now()
const result = Bun.spawnSync(command, { stdout: 'ignore', stderr: 'ignore', timeout: Number(limit) })
const run: OneRun = {
  ms: performance.now() - begun,
  mb: result.resourceUsage.maxRSS / 1024 / 1024,
  exitCode: result.exitCode,
}
console.log(JSON.stringify(run))
