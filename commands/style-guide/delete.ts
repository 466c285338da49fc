import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { restoreHint } from '../../cli/bin/shared.ts'
import { command } from '../../cli/declare.ts'
import { guideAddress, guideArgument } from '../../cli/style-guide/shared.ts'

export default command({
  summary: 'Delete a style guide with its assignments',
  description:
    'Its projects use the default guide again; if it was the default, the recommended guide becomes the default. You can restore it for 30 days with "svc bin restore".',
  examples: ['svc style-guide delete Strict'],
  arguments: [guideArgument],
  options: {},
  async run({ args, connection }) {
    const { call, params } = await guideAddress(connection, args.guide)
    const hint = restoreHint(args.guide)
    const done = await call(styleGuidesApi.remove, { params })
    const next = done['defaultGuideId']
    if (next === undefined) return { data: done, text: `Deleted ${args.guide}.\n${hint}` }
    const { name } = await call(styleGuidesApi.get, { params: { ...params, guide_id: next } })
    return { data: done, text: `Deleted ${args.guide}. The default style guide is now ${name}.\n${hint}` }
  },
})
