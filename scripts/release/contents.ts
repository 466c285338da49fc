/** What the archives and packages of all platforms contain beside the executable. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { completionTree } from '../../cli/completion/model.ts'
import { powershellScript } from '../../cli/completion/powershell.ts'
import { bashScript, fishScript, zshScript } from '../../cli/completion/scripts.ts'
import { registry } from '../../cli/registry.gen.ts'
import { referencePages } from '../reference/pages.ts'
import { file, type Entry } from './entries.ts'
import { manPage } from './man.ts'
import type { Texts } from './system-package.ts'

export interface Contents {
  readonly texts: Texts
  /** The files of an archive, without the executable. */
  readonly entries: readonly Entry[]
}

/**
 * Writes the manual page, the completions and the pages of the reference.
 * @param root the folder of the sources
 * @param date the day of the release, as "2026-05-05"
 */
export async function contentsOf(root: string, version: string, date: string): Promise<Contents> {
  const tree = await completionTree(registry)
  const source = (name: string): Promise<string> => readFile(join(root, name), 'utf8')
  const texts = {
    man: await manPage(registry, version, date),
    bash: bashScript(tree),
    zsh: zshScript(tree),
    fish: fishScript(tree),
    license: await source('LICENSE'),
    changelog: await source('CHANGELOG.md'),
  }
  const pages = Object.entries(await referencePages()).map(([path, text]) => file(`docs/${path}`, text))
  const entries = [
    file('svc.1', texts.man),
    file('completions/svc.bash', texts.bash),
    file('completions/_svc', texts.zsh),
    file('completions/svc.fish', texts.fish),
    file('completions/svc.ps1', powershellScript(tree)),
    file('LICENSE', texts.license),
    file('README.md', await source('README.md')),
    file('CHANGELOG.md', texts.changelog),
    ...pages,
  ]
  return { texts, entries }
}
