import { command } from '../cli/declare.ts'
import { checkOptions } from '../cli/check/options.ts'
import { checkResult } from '../cli/check/report.ts'
import { checkAll, checkForParent } from '../cli/check/run.ts'
import { readReportTarget } from '../cli/output/reports.ts'

export default command({
  summary: 'Evaluate all gates of the APIs of svc.yaml',
  description:
    'Checks each API of the nearest svc.yaml: its findings and grade, its changes against what compareWith names, and with --consumers its registered consumers. Prints a table and then what failed. A gate that could not be evaluated, because its base or the service was not there, fails the run unless --allow-skipped is given. Exit codes: 3 if a consumer is affected, 4 if a threshold is not met or a change breaks, 2 if something was skipped or cannot be used, 6 if a document cannot be read.',
  examples: [
    'svc check',
    'svc check shop users --profile ci',
    'svc check --since origin/main --report markdown=check.md',
    'svc check --report junit=check.xml --report sarif=check.sarif',
    'svc check --format github-actions --allow-missing-base',
  ],
  arguments: [
    { name: 'apis', summary: 'names or documents of APIs (default: all of svc.yaml)', variadic: true, namesApis: true },
  ],
  options: checkOptions,
  endsAtOnce: true,
  envelope: 'findings',
  run: async (invocation) => {
    if (invocation.options.apart) return checkForParent(invocation)
    const targets = invocation.options.report.map(readReportTarget)
    return checkResult(await checkAll(invocation), targets, invocation)
  },
})
