import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { StyleGuideRule } from '../../src/api/style-guide-shapes.ts'
import { command } from '../../cli/declare.ts'
import { guideAddress, guideArgument, renderRules } from '../../cli/style-guide/shared.ts'

export default command({
  summary: 'List the rules of a style guide',
  examples: ['svc style-guide rules svc:recommended', 'svc style-guide rules Strict --off'],
  arguments: [guideArgument],
  options: {
    on: { type: 'boolean', summary: 'only rules that are on' },
    off: { type: 'boolean', summary: 'only rules that are off' },
  },
  dataSchema: { type: 'array', items: StyleGuideRule },
  async run({ args, options, connection }) {
    const { call, params } = await guideAddress(connection, args.guide)
    const { items } = await call(styleGuidesApi.rules, { params })
    const shown = options.on === options.off ? items : items.filter((it) => it.enabled === options.on)
    return { data: shown, summary: { total: shown.length }, text: () => renderRules(shown) }
  },
})
