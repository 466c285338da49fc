import { openCache } from '../cli/cache/cache.ts'
import { command } from '../cli/declare.ts'
import { assertSensible, lintFiles } from '../cli/lint/files.ts'
import { lintOptions } from '../cli/lint/options.ts'
import { lintResult, writeReports } from '../cli/lint/result.ts'
import { planLint, settle } from '../cli/lint/plan.ts'
import { readReportTarget } from '../cli/output/reports.ts'
import { SvcError } from '../src/errors.ts'
import { explainRule, suggestRule } from '../src/explain/explain.ts'

export default command({
  summary: 'Check documents against a style guide and grade them',
  description:
    'Checks OpenAPI, Swagger, Arazzo, JSON Schema and MCP documents, prints findings with their locations and a grade from A to F. Linting files needs no account and no workspace. In a folder every such document is checked; references to other files are followed. Where the current folder or one above it has a svc.yaml, its settings apply, options take precedence, and without FILES the APIs that it names are checked. With --baseline, only findings that are not in the baseline are reported. Exit codes: 2 if a rule or ruleset was skipped, 4 if --fail-on or --min-grade fails, 5 if nothing could be graded, 6 if a document cannot be read; --allow-skipped accepts what was skipped.',
  examples: [
    'svc lint openapi.yaml',
    'svc lint',
    'svc lint shop --profile ci',
    'svc lint openapi.yaml --min-grade B --report sarif=lint.sarif',
    'curl -s https://example.com/openapi.json | svc lint - --format markdown',
    'svc lint openapi.yaml --guide .spectral.yaml --fail-on warning',
    "svc lint 'apis/**/*.yaml' --write-baseline lint-baseline.json",
    'svc lint apis --baseline lint-baseline.json --fail-on-new',
    'svc lint https://example.com/openapi.json petstore@1.2.0',
    'svc lint openapi.yaml --fix --dry-run',
    'svc lint --explain path-params',
  ],
  arguments: [
    {
      name: 'files',
      summary:
        'files, folders, globs, URLs, PROJECT@VERSION or names of APIs of svc.yaml; - reads standard input (default: the APIs of svc.yaml, else the current folder)',
      variadic: true,
      namesApis: true,
    },
  ],
  options: lintOptions,
  endsAtOnce: true,
  envelope: 'findings',
  run: async (invocation) => {
    const { args, options } = invocation
    if (options.explain !== undefined) {
      const explained = await explainRule(options.explain)
      if (explained !== null) return { findings: [], summary: explained.data, text: explained.text }
      const near = await suggestRule(options.explain)
      const meant = near === null ? '; docs/rules lists them' : `; did you mean ${near}?`
      throw new SvcError('usage', { reason: `Unknown rule "${options.explain}"${meant}` })
    }
    assertSensible(args.files, options)
    const targets = options.report.map(readReportTarget)
    const plan = await planLint(invocation)
    const cache = await openCache(invocation)
    const found = await lintFiles(plan.names, plan.guide, invocation, cache)
    await cache?.close()
    const linted = { ...found, all: found.all.map(plan.keep), skipped: [...plan.skipped, ...found.skipped] }
    const { guide } = plan
    const { known, accepted, judged } = await settle(plan, linted.all, invocation)
    const reports = await writeReports({ guide, linted, accepted, judged }, targets, invocation)
    return lintResult({ guide, linted, accepted, judged, applied: plan.applied, known, reports }, invocation)
  },
})
