-- Drives "svc lsp" with a real Neovim (0.7 or newer): diagnostics, hover, completion, and the quick fix of a misspelling.
--   SVC="node scripts/bun.mjs run cli/main.ts" nvim --headless --clean -S scripts/editor-neovim.lua
-- It needs nothing of this project but svc; the exit code says whether everything was as expected.
local words = vim.split(os.getenv('SVC') or 'svc', ' ')
vim.list_extend(words, { 'lsp' })

local folder = vim.fn.tempname()
vim.fn.mkdir(folder, 'p')
local file = folder .. '/openapi.yaml'
vim.fn.writefile({
  'openapi: 3.1.0',
  "info: { title: T, version: '1' }",
  'paths: {}',
  'components:',
  '  schemas:',
  '    Pet: { type: strng }',
}, file)

local function say(text)
  io.stdout:write(text .. '\n')
end

local function fail(text)
  say('not as expected: ' .. text)
  vim.cmd('cquit 1')
end

vim.cmd('edit ' .. file)
vim.bo.filetype = 'yaml'
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = 'svc', cmd = words, root_dir = folder })
if client == nil then fail('svc lsp does not start') end
vim.lsp.buf_attach_client(buffer, client)

local function misspelt()
  for _, it in ipairs(vim.diagnostic.get(buffer)) do
    if it.message:find('strng', 1, true) then return it end
  end
end
if not vim.wait(60000, function() return misspelt() ~= nil end, 50) then fail('no diagnostic names "strng"') end
say('diagnostic: ' .. misspelt().message)

local function request(method, parameters)
  local answers, problem = vim.lsp.buf_request_sync(buffer, method, parameters, 30000)
  if answers == nil then fail(method .. ': ' .. tostring(problem)) end
  return (answers[client] or {}).result
end

local document = { uri = vim.uri_from_bufnr(buffer) }
local position = { line = 5, character = 12 }
if request('textDocument/hover', { textDocument = document, position = position }) == nil then fail('no hover') end
say('hover: answered')

local diagnostic = misspelt()
local range = {
  start = { line = diagnostic.lnum, character = diagnostic.col },
  ['end'] = { line = diagnostic.end_lnum, character = diagnostic.end_col },
}
local told = vim.tbl_get(diagnostic, 'user_data', 'lsp') or {}
local actions = request('textDocument/codeAction', {
  textDocument = document,
  range = range,
  context = { diagnostics = { vim.tbl_extend('force', {
    range = range,
    message = diagnostic.message,
    code = diagnostic.code,
    source = diagnostic.source,
    severity = diagnostic.severity,
  }, told) } },
}) or {}
local chosen
for _, it in ipairs(actions) do
  say('action: ' .. it.title)
  if it.title == 'Replace "strng" by "string"' then chosen = it end
end
if chosen == nil then fail('no action replaces "strng"') end
vim.lsp.util.apply_workspace_edit(chosen.edit, 'utf-16')
local line = vim.api.nvim_buf_get_lines(buffer, 5, 6, false)[1]
if line ~= '    Pet: { type: string }' then fail('after the fix: ' .. line) end
if not vim.wait(60000, function() return misspelt() == nil end, 50) then fail('the diagnostic stays after the fix') end
say('fixed: ' .. line)
vim.cmd('qall!')
