import { versionsApi } from '../../src/api/versions.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { command } from '../../cli/declare.ts'
import { versionArguments } from '../../cli/version/facts.ts'

export default command({
  summary: 'Print the document of a version as its author wrote it',
  examples: ['svc version document petstore latest > openapi.yaml'],
  arguments: versionArguments,
  options: {},
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const text = await call(versionsApi.document, {
      params: { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version },
    })
    const document = parseDocument(new TextDecoder().decode(text), { source: args.version })
    return { data: document.syntax === 'json' ? document.value : document.text, text }
  },
})
