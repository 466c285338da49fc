import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { StyleGuideOut } from '../../src/api/style-guide-shapes.ts'
import { command } from '../../cli/declare.ts'
import { guideAddress, guideArgument, guideFacts } from '../../cli/style-guide/shared.ts'

export default command({
  summary: 'Show a style guide',
  examples: ['svc style-guide show "API rules"'],
  arguments: [guideArgument],
  options: {},
  dataSchema: StyleGuideOut,
  async run({ args, connection }) {
    const { call, params } = await guideAddress(connection, args.guide)
    const guide = await call(styleGuidesApi.get, { params })
    return { data: guide, text: () => guideFacts(guide) }
  },
})
