import { listImportFormats } from '../../src/import/importer.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../command.ts'
import { renderTable } from '../table.ts'

export default command({
  summary: 'Import documents into projects and versions',
  description: 'Name the format of the document, or let "auto" find it.',
  examples: ['svc import auto api.yaml', 'svc import --list'],
  arguments: [],
  options: { list: { type: 'boolean', summary: 'list the import formats' } },
  run({ options }) {
    if (!options.list)
      throw new SvcError('usage', { reason: 'Name a format, as in "svc import auto FILE"; --list names them all.' })
    const formats = listImportFormats().map(({ id, summary }) => ({ id, summary }))
    const text = () =>
      renderTable(
        ['FORMAT', ''],
        [...formats.map(({ id, summary }) => [id, summary]), ['auto', 'whichever of them the document is']],
      )
    return Promise.resolve({ data: formats, text })
  },
})
