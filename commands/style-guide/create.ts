import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { StyleGuideOut } from '../../src/api/style-guide-shapes.ts'
import { command } from '../../cli/declare.ts'
import { guideAddress, guideFacts, tenantAddress } from '../../cli/style-guide/shared.ts'

export default command({
  summary: 'Create a style guide from the recommended rules or from another guide',
  examples: ['svc style-guide create "API rules"', 'svc style-guide create Strict --from spectral:oas'],
  arguments: [{ name: 'name', summary: 'name of the style guide', required: true }],
  options: {
    from: { type: 'string', placeholder: 'GUIDE', summary: 'the guide whose rules it starts with' },
    description: { type: 'string', placeholder: 'TEXT', summary: 'what it is for' },
  },
  dataSchema: StyleGuideOut,
  async run({ args, options, connection }) {
    const { call, params } = await tenantAddress(connection)
    const source = options.from === undefined ? null : await guideAddress(connection, options.from)
    const guide = await call(styleGuidesApi.create, {
      params,
      body: {
        name: args.name,
        ...(options.description === undefined ? {} : { description: options.description }),
        ...(source === null ? {} : { sourceGuideId: source.params.guide_id }),
      },
    })
    return { data: guide, text: () => guideFacts(guide) }
  },
})
