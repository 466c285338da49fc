/** What hosts read of the design tools. What does the work is loaded for the first call. */
import { Type, type Static, type TObject } from '@sinclair/typebox'
import { bounds } from '../../../mcp/fields.ts'
import type { Tool, ToolContext } from '../../../mcp/tool.ts'
import { convertArguments, editArguments, exampleArguments, pageArguments, stubArguments } from './arguments.ts'
import type { Design } from './design.ts'

const page = Type.Object({ text: Type.String(), ...bounds })

/** What a tool does, in a module that is loaded when it is called. */
interface Work<A> {
  run(design: Design, args: A, context: ToolContext): Promise<object>
}

const local = <I extends TObject>(
  design: Design,
  definition: Pick<Tool, 'name' | 'title' | 'description' | 'output' | 'writes'> & { readonly input: I },
  load: () => Promise<Work<Static<I>>>,
): Tool => ({
  ...definition,
  isLocal: true,
  run: (args: Static<I>, context: ToolContext) =>
    design.bounded(`The call of ${definition.name}`, async () => (await load()).run(design, args, context)),
})

/** Reads `svc.yaml` and loads what an edit needs, while the host does something else. @throws SvcError as `Design.repository` does */
export async function prepareDesign(design: Design): Promise<void> {
  await design.repository()
  await Promise.all([import('./judge.ts'), import('./tools/edit.ts')])
}

/** The design tools, in the order of their names. */
export const designTools = (design: Design): readonly Tool[] => [
  local(
    design,
    {
      name: 'bundle',
      title: 'Bundle files',
      description: 'A description and all that its references lead to, as one text; writes nothing',
      input: pageArguments,
      output: page,
    },
    () => import('./tools/bundle.ts'),
  ),
  local(
    design,
    {
      name: 'convert',
      title: 'Convert a description',
      description:
        'A description as openapi-3.0, openapi-3.1, openapi-3.2 or json-schema, and what is lost; writes nothing',
      input: convertArguments,
      output: page,
    },
    () => import('./tools/convert.ts'),
  ),
  local(
    design,
    {
      name: 'edit',
      title: 'Edit a file',
      description:
        'Edit a description in the repository of svc.yaml; comments and layout stay. Unless dry_run is false it only says what would follow: diff, findings, verdict with counterexamples. A breaking edit is written only if accept names its fingerprints',
      writes: true,
      input: editArguments,
      output: Type.Object({
        written: Type.Boolean(),
        digest: Type.String({ description: 'Of the file as it is now' }),
        verdict: Type.String(),
        not_accepted: Type.Array(Type.String()),
      }),
    },
    () => import('./tools/edit.ts'),
  ),
  local(
    design,
    {
      name: 'example',
      title: 'Example of an operation',
      description: 'A valid request and answer of an operation; unsolved names what no valid value was found for',
      input: exampleArguments,
      output: Type.Object({ request: Type.Object({}), unsolved: Type.Array(Type.String()) }),
    },
    () => import('./tools/example.ts'),
  ),
  local(
    design,
    {
      name: 'stub',
      title: 'Types of an operation',
      description: 'TypeScript types of one operation, at most 800 tokens',
      input: stubArguments,
      output: Type.Object({ text: Type.String(), omitted: Type.Array(Type.String()) }),
    },
    () => import('./tools/stub.ts'),
  ),
]
