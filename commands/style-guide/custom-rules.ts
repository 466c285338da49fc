import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { command } from '../../cli/declare.ts'
import { guideAddress, guideArgument, readText, renderRules } from '../../cli/style-guide/shared.ts'

export default command({
  summary: 'Print the custom rules of a style guide, or replace them',
  description: 'Custom rules are a Spectral ruleset in YAML. It may extend builtin rulesets and name their rules.',
  examples: [
    'svc style-guide custom-rules Strict > rules.yaml',
    'svc style-guide custom-rules Strict --set rules.yaml',
    "echo 'rules: {}' | svc style-guide custom-rules Strict --set -",
  ],
  arguments: [guideArgument],
  options: { set: { type: 'string', placeholder: 'FILE', summary: 'the new rules; - reads standard input' } },
  async run({ args, options, connection, cwd, io }) {
    const yaml = options.set === undefined ? null : await readText(options.set, { cwd, io })
    const { call, params } = await guideAddress(connection, args.guide)
    if (yaml === null) {
      const found = await call(styleGuidesApi.customRules, { params })
      return { data: found, text: found.yaml === '' || found.yaml.endsWith('\n') ? found.yaml : `${found.yaml}\n` }
    }
    const saved = await call(styleGuidesApi.putCustomRules, { params, body: { yaml } })
    return { data: saved, text: () => renderRules(saved.rules) }
  },
})
