import type { ToolContext } from '../../../../mcp/tool.ts'
import { writeChanged } from '../../../../src/convert/text.ts'
import { isBundled } from '../../../../src/import/bundle/written.ts'
import type { PageArguments } from '../arguments.ts'
import type { Design } from '../design.ts'
import { textPage } from '../fit.ts'
import { readWholeFile } from '../whole.ts'

/** Makes one document of several files. @throws SvcError as the files of the repository and the arguments need it */
export async function run(
  design: Design,
  { file, cursor: from }: PageArguments,
  { budgetBytes }: ToolContext,
): Promise<object> {
  const { document, notes } = await readWholeFile(design, file, true)
  const files = isBundled(document) ? document.files : [document]
  const { text } = writeChanged(files[0] ?? document, document.value, document.syntax, document.exactValue())
  return textPage({ syntax: document.syntax, files: files.length, notes }, text, from, budgetBytes)
}
