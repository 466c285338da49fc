create virtual table "search_index" using fts5(words, content='', contentless_delete=1, detail=none, tokenize='unicode61 remove_diacritics 0');
create trigger "search_entries_inserted" after insert on "search_entries" begin
  insert into "search_index" (rowid, words) values (new."id", new."words");
end;
create trigger "search_entries_deleted" after delete on "search_entries" begin
  delete from "search_index" where rowid = old."id";
end;
