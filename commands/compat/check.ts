import { CompatibilityCheck, compatibilityApi, compatProfiles } from '../../src/api/compatibility.ts'
import type { Change } from '../../src/diff/change.ts'
import { command } from '../../cli/declare.ts'
import { compatArguments, formatOption, gateLines, reportOf, writeReport } from '../../cli/compat/report.ts'

export default command({
  summary: 'Check whether clients of one stored version can use another',
  description:
    'Exits with 3 if the gate of the organization fails, and with 4 if --fail-on is given and the change is not safe.',
  examples: [
    'svc compat check payments 1.4.0 2.0.0',
    'svc compat check payments 1.4.0 2.0.0 --against all-published --format junit',
  ],
  arguments: compatArguments,
  options: {
    format: formatOption,
    against: {
      type: 'string',
      placeholder: 'WHAT',
      choices: ['base', 'all-published'],
      default: 'base',
      summary: 'base, or all-published: also compare the head with every published version',
    },
    profile: {
      type: 'string',
      placeholder: 'NAME',
      choices: compatProfiles,
      summary: 'policy for changes that not everyone considers breaking',
    },
    'fail-on': {
      type: 'string',
      placeholder: 'VERDICT',
      choices: ['breaking', 'unknown'],
      summary: 'exit 4 if the verdict is breaking; unknown: also if it is unknown',
    },
  },
  dataSchema: CompatibilityCheck,
  async run({ args, options, connection, io }) {
    const { call, tenant } = await connection()
    const check = await call(compatibilityApi.check, {
      params: { tenant_slug: await tenant(), project_id: args.project },
      query: { against: options.against },
      body: {
        baseRevisionId: args.base,
        headRevisionId: args.head,
        ...(options.profile === undefined ? {} : { policy: { profile: options.profile } }),
      },
    })
    const missed =
      (options['fail-on'] === 'breaking' && check.overall === 'breaking') ||
      (options['fail-on'] === 'unknown' && check.overall !== 'safe')
    const report = reportOf(
      check.findings as readonly Change[],
      `${args.project}@${args.base}`,
      `${args.project}@${args.head}`,
    )
    const { format } = options
    return {
      data: check,
      exitCode: [check.mergeBlockedByCompatGate ? 3 : 0, missed ? 4 : 0],
      text: () =>
        format === 'json'
          ? `${JSON.stringify(check, null, 2)}\n`
          : format === 'text'
            ? writeReport(report, format, null, io.colour.stdout) + gateLines(check)
            : writeReport(report, format, null, false),
    }
  },
})
