import { resolve } from 'node:path'
import { findProjectFile, shortName } from './find.ts'

/**
 * The document of an API of svc.yaml, where a name on the command line is that of one and no file is called so; otherwise the name.
 * @param cwd the folder from which svc.yaml is looked for, upward
 */
export async function fileNamed(name: string, cwd: string): Promise<string> {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name)) return name
  if (await Bun.file(resolve(cwd, name)).exists()) return name
  // What is wrong with svc.yaml is for the commands that apply it.
  const file = await findProjectFile(cwd).catch(() => null)
  const api = file?.apis.find((it) => it.name === name)
  return api === undefined ? name : shortName(api.root, cwd)
}
