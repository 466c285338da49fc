import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { StyleGuideOut } from '../../src/api/style-guide-shapes.ts'
import { command } from '../../cli/declare.ts'
import { guideAddress, guideArgument, guideFacts } from '../../cli/style-guide/shared.ts'

export default command({
  summary: 'Make a style guide the default of the organization',
  examples: ['svc style-guide impact Strict && svc style-guide default Strict'],
  arguments: [guideArgument],
  options: {},
  dataSchema: StyleGuideOut,
  async run({ args, connection }) {
    const { call, params } = await guideAddress(connection, args.guide)
    const guide = await call(styleGuidesApi.makeDefault, { params })
    return { data: guide, text: () => guideFacts(guide) }
  },
})
