// Search and links, for a page that reads as well without them.
(function () {
  "use strict";
  var input = document.getElementById("search");
  var found = document.getElementById("found");
  var contents = document.querySelector("details.contents");
  var articles = Array.prototype.slice.call(document.querySelectorAll("article"));
  var entries = articles.map(function (article) {
    return {
      article: article,
      link: document.querySelector('a[data-entry="' + article.id + '"]').parentNode,
      text: article.textContent.toLowerCase(),
    };
  });

  function search() {
    var words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    var count = 0;
    entries.forEach(function (entry) {
      var hits = words.every(function (word) { return entry.text.indexOf(word) >= 0; });
      entry.article.hidden = !hits;
      entry.link.hidden = !hits;
      count += hits ? 1 : 0;
    });
    document.querySelectorAll("section.section").forEach(function (section) {
      section.hidden = !section.querySelector("article:not([hidden])");
    });
    contents.querySelectorAll("ul").forEach(function (list) {
      var none = !list.querySelector("li:not([hidden])");
      list.hidden = none;
      list.previousElementSibling.hidden = none;
    });
    document.body.classList.toggle("searching", words.length > 0);
    found.textContent = words.length ? count + " of " + entries.length : "";
  }

  // Whoever follows a link wants to see where it leads, whatever was searched for.
  function show() {
    var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.closest("[hidden]")) {
      input.value = "";
      search();
      target.scrollIntoView();
    }
  }

  document.querySelector("search").hidden = false;
  if (matchMedia("(max-width: 60rem)").matches) contents.open = false;
  input.addEventListener("input", function () {
    if (input.value) contents.open = true;
    search();
  });
  addEventListener("hashchange", show);
  addEventListener("keydown", function (event) {
    var typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
    } else if (event.key === "Escape" && document.activeElement === input) {
      input.value = "";
      search();
      input.blur();
    }
  });
  search();
})();
