import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { guideAddress, guideArgument, readText, renderRules } from '../../cli/style-guide/shared.ts'
import { plural } from '../../src/plural.ts'

export default command({
  summary: 'Test custom rules on a document without saving them',
  examples: [
    'svc style-guide preview Strict rules.yaml --on openapi.yaml',
    'svc style-guide preview Strict rules.yaml --on petstore@1.2.0',
  ],
  arguments: [guideArgument, { name: 'rules', summary: 'a Spectral ruleset; - reads standard input', required: true }],
  options: {
    on: {
      type: 'string',
      placeholder: 'FILE|PROJECT@VERSION',
      summary: 'the document to test them on',
      required: true,
    },
  },
  envelope: 'findings',
  async run({ args, options, connection, cwd, io }) {
    const yaml = await readText(args.rules, { cwd, io })
    const stored = /^([^@/\\]+)@([^@/\\]+)$/.exec(options.on)
    if (args.rules === '-' && options.on === '-')
      throw new SvcError('usage', { reason: 'Standard input can be read only once: give "-" once' })
    const target =
      stored === null
        ? { content: await readText(options.on, { cwd, io }), name: options.on }
        : { project: stored[1] as string, version: stored[2] as string }
    const { call, params } = await guideAddress(connection, args.guide)
    const found = await call(styleGuidesApi.previewCustomRules, { params, body: { yaml, ...target } })
    const own = new Set(found.rules.map((it) => it.id))
    const told = found.findings.filter((it) => own.has(it.code))
    return {
      findings: found.findings,
      summary: { grade: found.grade, rules: found.rules.length, unmatchedRules: found.unmatchedRules },
      text: () =>
        [
          renderRules(found.rules),
          ...told.map(
            ({ source, range: { start }, severity, code, message }) =>
              `${source}:${start.line + 1}:${start.character + 1} ${severity} ${code} ${message}\n`,
          ),
          ...found.unmatchedRules.map((id) => `${id}: its "given" matched nothing in this document.\n`),
          `${plural(told.length, 'finding')} of custom rules; grade ${found.grade?.grade ?? '-'} with all rules.\n`,
        ].join(''),
    }
  },
})
