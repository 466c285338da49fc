/** The entry: `--version` and `--help` are answered from what is already here, everything else is loaded when needed. */
import { analysisWorkerFlag } from '../server/analysis/worker-flag.ts'
import { settleCompiler } from './compiler-settings.ts'
import { registry } from './registry.gen.ts'
import { version } from './version.gen.ts'

const argv = process.argv.slice(2)
// For the answers below; commands report what they cannot write themselves.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exitCode = error.code === 'EPIPE' ? 0 : 1
})
const only = argv.length === 1 ? argv[0] : undefined

if (only === '--version' || only === '-V') {
  process.stdout.write(`svc ${version}\n`)
} else if (only === '--help' || only === '-h' || only === 'help') {
  const { renderHelp } = await import('./help.ts')
  process.stdout.write(renderHelp(registry, '', null, process.stdout.columns ?? 80))
} else if (only === analysisWorkerFlag) {
  const { runAnalysisProcess } = await import('../server/analysis/child.ts')
  await runAnalysisProcess()
} else {
  settleCompiler(argv)
  const { runProcess } = await import('./run.ts')
  await runProcess(argv, registry)
}
