drop trigger "search_entries_inserted";
drop trigger "search_entries_deleted";
drop table "search_index";
create virtual table "search_current" using fts5(words, content='', contentless_delete=1, detail=none, tokenize='unicode61 remove_diacritics 0');
create virtual table "search_older" using fts5(words, content='', contentless_delete=1, detail=none, tokenize='unicode61 remove_diacritics 0');
create view "search_terms" as select "id", "current", "words"
  || ' ' || char(57345) || replace("tenant_id", '-', '')
  || ' ' || char(57345) || case when "ref" like 'schema %' then 'schema' else 'operation' end as "terms" from "search_entries";
create trigger "search_entries_current_inserted" after insert on "search_entries" when new."current" begin
  insert into "search_current" (rowid, words) select "id", "terms" from "search_terms" where "id" = new."id";
end;
create trigger "search_entries_older_inserted" after insert on "search_entries" when not new."current" begin
  insert into "search_older" (rowid, words) select "id", "terms" from "search_terms" where "id" = new."id";
end;
create trigger "search_entries_became_current" after update of "current" on "search_entries" when new."current" and not old."current" begin
  delete from "search_older" where rowid = old."id";
  insert into "search_current" (rowid, words) select "id", "terms" from "search_terms" where "id" = new."id";
end;
create trigger "search_entries_became_older" after update of "current" on "search_entries" when old."current" and not new."current" begin
  delete from "search_current" where rowid = old."id";
  insert into "search_older" (rowid, words) select "id", "terms" from "search_terms" where "id" = new."id";
end;
create trigger "search_entries_current_deleted" after delete on "search_entries" when old."current" begin
  delete from "search_current" where rowid = old."id";
end;
create trigger "search_entries_older_deleted" after delete on "search_entries" when not old."current" begin
  delete from "search_older" where rowid = old."id";
end;
insert into "search_older" (rowid, words) select "id", "terms" from "search_terms";
