/** What the agent does with each kind of gateway unless options say otherwise. */
import { SvcError } from '../../../src/errors.ts'
import { type EngineName, engineNamed } from '../../../src/gateway/engines/index.ts'
import type { Engine } from '../../../src/gateway/engines/engine.ts'
import type { Besides, Folder } from './folder.ts'
import { probeName, probeText } from './probe.ts'

/** An engine with the commands that its agent uses. */
export interface EngineSetup {
  readonly engine: Engine
  /** Asks the engine whether it can read `$SVC_RELEASE`; null: nothing asks it. */
  readonly validate: string | null
  readonly reload: string | null
}

/** The usual command that asks an engine about the configuration that `$SVC_CHECK` names. */
const usualValidate = ({ check }: Engine): string | null =>
  check === null ? null : [check.program, ...check.words('"$SVC_CHECK"')].join(' ')

/**
 * @param given what options say; blank: no command
 * @throws SvcError `usage` where an engine has no usual command and none is given
 */
export function setupOf(
  name: EngineName,
  given: { readonly validate?: string | undefined; readonly reload?: string | undefined },
): EngineSetup {
  const engine = engineNamed(name)
  if (engine.needsReload && given.reload === undefined)
    throw new SvcError('usage', {
      reason: `--engine ${name} needs --reload: the command that puts the release into your proxy, or "" for none`,
    })
  const chosen = (text: string | undefined, usual: string | null): string | null => {
    if (text === undefined) return usual
    return text.trim() === '' ? null : text
  }
  return {
    engine,
    validate: chosen(given.validate, usualValidate(engine)),
    reload: chosen(given.reload, engine.reload),
  }
}

/** Writes a configuration with nothing in it but a release. @returns its path; null where the engine has none */
export function writeCheck(folder: Folder, { check }: Engine, digest: string): string | null {
  if (check === null) return null
  folder.replace(`check/${check.file}`, check.text(folder.at('releases', digest)), 0o644)
  return folder.at('check', check.file)
}

/** The file with the place of the audit log, which the others include. */
const auditName = 'audit.conf'

/** What a folder has beside the files of each release: the rule by which the agent asks for it, and what the engine needs. */
export const besides =
  (name: EngineName): Besides =>
  (folder, release, digest) => {
    const includes = [`${folder}/${auditName}`, `${release}/${probeName}`, `${release}/svc.conf`]
    const directives = includes.map((path) => `\t\tInclude ${path}\n`).join('')
    return new Map([[probeName, probeText(digest)], ...engineNamed(name).besides(directives)])
  }

/** Writes what the engine includes: where its audit log goes, and the release in use. */
export function writeEntry(folder: Folder, auditLog: string): void {
  const heading = '# Written by "svc gateway run", which replaces what it includes.'
  const texts = {
    [auditName]: `${heading}\nSecAuditLog ${auditLog}\n`,
    'engine.conf': `${heading}\n${[
      folder.at(auditName),
      folder.at('current', probeName),
      folder.at('current', 'svc.conf'),
    ]
      .map((it) => `Include ${it}\n`)
      .join('')}`,
  }
  for (const [file, text] of Object.entries(texts)) if (folder.read(file) !== text) folder.replace(file, text, 0o644)
}
