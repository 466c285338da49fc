import { compatibilityApi, CompatibilityCheck, compatProfiles, Evidence } from '../../src/api/compatibility.ts'
import type { Change } from '../../src/diff/change.ts'
import { compatArguments, formatOption, gateLines, reportOf, writeReport } from '../../cli/compat/report.ts'
import { command, group } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'

export default group({
  summary: 'Check the compatibility of versions and record evidence',
  commands: {
    check: command({
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
          text: () => {
            if (format === 'json') return `${JSON.stringify(check, null, 2)}\n`
            return format === 'text'
              ? writeReport(report, format, null, io.colour.stdout) + gateLines(check)
              : writeReport(report, format, null, false)
          },
        }
      },
    }),
    evidence: command({
      summary: 'Compare two stored versions and store the verdicts with the newer one, for gates and audits',
      description:
        'The operator can configure a second tool (SVC_DIFF_TOOL, for example oasdiff), which runs too; the evidence records which tools ran and where they differ.',
      examples: ['svc compat evidence payments 1.4.0 2.0.0', 'svc compat evidence payments 1.4.0 2.0.0 --format sarif'],
      arguments: compatArguments,
      options: { format: formatOption },
      dataSchema: Evidence,
      async run({ args, options, connection, io }) {
        const { call, tenant } = await connection()
        const evidence = await call(compatibilityApi.recordEvidence, {
          params: { tenant_slug: await tenant(), project_id: args.project },
          body: { baseRevisionId: args.base, headRevisionId: args.head },
        })
        const report = reportOf(evidence.findings as readonly Change[], evidence.baseLabel, evidence.headLabel)
        const tools = (): string =>
          renderTable(
            ['TOOL', 'VERSION', 'VERDICT', 'FINDINGS', ''],
            evidence.tools.map((tool) => [
              tool.name,
              tool.version ?? '',
              tool.overall ?? tool.status,
              String(tool.findings),
              tool.message ?? '',
            ]),
          ) +
          (evidence.differences.length === 0
            ? ''
            : `\nThey differ:\n${renderTable(
                ['OPERATION', 'OURS', 'THEIRS', 'RULES'],
                evidence.differences.map((difference) => [
                  difference.operation ?? 'the whole document',
                  difference.ours,
                  difference.theirs,
                  [...difference.ourRules, ...difference.theirRules].join(' '),
                ]),
              )}`)
        const { format } = options
        return {
          data: evidence,
          text: () => {
            if (format === 'json') return `${JSON.stringify(evidence, null, 2)}\n`
            return format === 'text'
              ? `${writeReport(report, format, evidence, io.colour.stdout)}\n${tools()}`
              : writeReport(report, format, evidence, false)
          },
        }
      },
    }),
  },
})
