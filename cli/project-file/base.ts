/** What an API is compared with, named as `svc diff` names sides. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { CompareWith } from '../../src/project-file/compare-with.ts'
import { shortName } from './find.ts'

/** A file as `git show` names it: from the top of its repository, or from the current folder where no repository is found. */
export function atRevision(revision: string, path: string, cwd: string): string {
  const file = resolve(cwd, path)
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return `${revision}:${shortName(file, folder)}`
    if (folder === dirname(folder)) return `${revision}:./${shortName(file, cwd)}`
  }
}

/**
 * The name of the older side of a document.
 * @param file the document; absolute, or relative to the current folder
 */
export function sideOf(side: CompareWith, file: string, cwd: string): string {
  switch (side.kind) {
    case 'git':
      return side.path === null ? atRevision(side.revision, file, cwd) : `${side.revision}:${side.path}`
    case 'version':
      return `${side.project}@${side.version}`
    case 'file':
      return shortName(side.path, cwd)
    case 'address':
      return side.url
  }
}
