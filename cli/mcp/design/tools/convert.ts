import type { ToolContext } from '../../../../mcp/tool.ts'
import { convertDocument, isConvertible, targets } from '../../../../src/convert/convert.ts'
import { isLoss } from '../../../../src/convert/losses.ts'
import { writeChanged } from '../../../../src/convert/text.ts'
import { SvcError } from '../../../../src/errors.ts'
import { isBundled } from '../../../../src/import/bundle/written.ts'
import { formatPointer } from '../../../../src/kernel/pointer.ts'
import type { ConvertArguments } from '../arguments.ts'
import type { Design } from '../design.ts'
import { textPage } from '../fit.ts'
import { readWholeFile } from '../whole.ts'

const mostLosses = 20

/** Writes a document in another version. @throws SvcError as the files of the repository and the arguments need it */
export async function run(
  design: Design,
  { file, to, cursor: from }: ConvertArguments,
  { budgetBytes }: ToolContext,
): Promise<object> {
  const target = targets.find((it) => it === to)
  if (target === undefined) throw new SvcError('usage', { reason: `"to" is one of ${targets.join(', ')}` })
  const { document, name, notes } = await readWholeFile(design, file)
  if (!isConvertible(document))
    throw new SvcError('document-invalid', {
      reason: `${name} is ${document.format?.kind} ${document.format?.version}; svc converts OpenAPI 3.0 to 3.2, Swagger 2.0 and JSON Schema`,
    })
  const converted = convertDocument(document, target)
  const lost = converted.notes.filter(({ code }) => isLoss(code))
  const more = [...converted.unlisted].filter(([code]) => isLoss(code)).reduce((sum, [, count]) => sum + count, 0)
  const losses = lost
    .slice(0, mostLosses)
    .map(({ code, message, path }) => ({ code, path: formatPointer(path), message }))
  const [entry = document] = isBundled(document) ? document.files : []
  const { text } = writeChanged(entry, converted.value, document.syntax)
  const frame = { syntax: document.syntax, lost: lost.length + more, losses, notes }
  return textPage(frame, text, from, budgetBytes)
}
