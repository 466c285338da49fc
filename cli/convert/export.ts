/** `svc export`. */
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { convertDocument, isConvertible } from '../../src/convert/convert.ts'
import type { Document } from '../../src/document/document.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { SvcError } from '../../src/errors.ts'
import { componentNames } from '../../src/import/convert/component-names.ts'
import { readForRendering } from '../../src/import/importer.ts'
import { plural } from '../../src/kernel/plural.ts'
import { readReference } from '../../src/render/reference/model.ts'
import { renderJsonSchema, type RenderSource } from '../../src/render/render.ts'
import { serializeJson } from '../../src/document/serialize.ts'
import type { Invocation, Result } from '../declare.ts'
import { writeOutput } from './output.ts'
import { readComplete } from './whole.ts'

type ExportInvocation = Invocation<
  { readonly file: string },
  {
    readonly as: 'html' | 'markdown' | 'json-schema' | 'playground'
    readonly output: string | undefined
    readonly base: string | undefined
  }
>

const isFolder = (output: string | undefined, cwd: string): output is string =>
  output !== undefined &&
  (/[/\\]$/.test(output) || statSync(resolve(cwd, output), { throwIfNoEntry: false })?.isDirectory() === true)

async function writeReference(as: 'html' | 'markdown', document: Document): Promise<string> {
  const reference = readReference(convertDocument(document, 'openapi-3.2').value)
  if (as === 'markdown') return (await import('../../src/render/reference/markdown.ts')).writeMarkdown(reference)
  return (await import('../../src/render/reference/html.ts')).writeHtml(reference).join('\n')
}

function schemasOf(document: Document): RenderSource {
  const source = readForRendering(document, document.format?.kind ?? '')
  if (source === null || Object.keys(source.classes).length === 0)
    throw new SvcError('document-invalid', {
      reason: 'it has no schemas; they are in "components/schemas", "definitions" or "$defs"',
    })
  return source
}

/** A file for each schema, with what it refers to. */
async function writeFolder(source: RenderSource, folder: string, cwd: string): Promise<string[]> {
  const names = componentNames(Object.keys(source.classes))
  const files: string[] = []
  for (const name of Object.keys(source.classes)) {
    const file = join(folder, `${names.get(name) ?? name}.json`)
    const { value } = renderJsonSchema(source, name)
    if (value !== undefined) await writeOutput(serializeJson(value), { output: file }, cwd)
    files.push(file.replaceAll('\\', '/'))
  }
  return files
}

/** Reads, joins, renders and writes. */
export async function exportDocument(invocation: ExportInvocation): Promise<Result> {
  const { args, options, cwd, io } = invocation
  if (options.as !== 'json-schema' && isFolder(options.output, cwd))
    throw new SvcError('usage', { reason: `--output ${options.output} is a folder; name a file in it` })
  if (options.as === 'playground') {
    const { exportPlayground } = await import('./export-playground.ts')
    return writeMade(await exportPlayground(args.file, options.base, invocation), invocation)
  }
  const document = await readComplete(args.file, options.base, invocation)
  if (!isConvertible(document))
    throw new SvcError('document-invalid', {
      reason: `its format is ${document.format?.kind} ${document.format?.version}; svc exports OpenAPI 3.0 to 3.2, Swagger 2.0 and JSON Schema`,
    })
  if (options.as === 'json-schema' && isFolder(options.output, cwd)) {
    const files = await writeFolder(schemasOf(document), options.output, cwd)
    io.log.info(`Wrote ${plural(files.length, 'schema')} to ${options.output}.`)
    return { data: { as: options.as, output: options.output, files }, text: '' }
  }
  const made =
    options.as === 'json-schema'
      ? serializeJson(renderJsonSchema(schemasOf(document)).value as JsonObject)
      : await writeReference(options.as, document)
  return writeMade(made, invocation)
}

/** Writes what was made, where --output says. */
async function writeMade(made: string, { options, cwd, io }: ExportInvocation): Promise<Result> {
  const text = await writeOutput(made, options, cwd)
  if (text === null) io.log.info(`Wrote ${options.output}.`)
  return {
    data: {
      as: options.as,
      output: text === null ? options.output : null,
      files: [],
      ...(text === null ? {} : { text }),
    },
    text: text ?? '',
  }
}
