/** docs/schemas/svc.schema.json: the JSON Schema of svc.yaml. */
import { projectFileSchema } from '../../src/project-file/schema.ts'

export default async (): Promise<Record<string, string>> => ({
  'docs/schemas/svc.schema.json': `${JSON.stringify(projectFileSchema(), null, 2)}\n`,
})
