import { compatibilityApi, Evidence } from '../../src/api/compatibility.ts'
import type { Change } from '../../src/diff/change.ts'
import { command } from '../../cli/declare.ts'
import { compatArguments, formatOption, reportOf, writeReport } from '../../cli/compat/report.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
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
        evidence.tools.map((it) => [
          it.name,
          it.version ?? '',
          it.overall ?? it.status,
          String(it.findings),
          it.message ?? '',
        ]),
      ) +
      (evidence.differences.length === 0
        ? ''
        : `\nThey differ:\n${renderTable(
            ['OPERATION', 'OURS', 'THEIRS', 'RULES'],
            evidence.differences.map((it) => [
              it.operation ?? 'the whole document',
              it.ours,
              it.theirs,
              [...it.ourRules, ...it.theirRules].join(' '),
            ]),
          )}`)
    const { format } = options
    return {
      data: evidence,
      text: () =>
        format === 'json'
          ? `${JSON.stringify(evidence, null, 2)}\n`
          : format === 'text'
            ? `${writeReport(report, format, evidence, io.colour.stdout)}\n${tools()}`
            : writeReport(report, format, evidence, false),
    }
  },
})
